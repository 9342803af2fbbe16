/**
 * The host of the page that sent a request: its `Origin`, else its `Referer`; undefined when neither
 * names one. A port does not count.
 */
export function requestHost(origin: string | undefined, referer: string | undefined): string | undefined {
  return hostOf(origin) ?? hostOf(referer)
}

function hostOf(url: string | undefined): string | undefined {
  // A sandboxed frame sends the word `null`, which is no URL.
  if (!url || !URL.canParse(url)) return undefined
  return new URL(url).hostname.toLowerCase() || undefined
}

/** Whether a host is the registered domain or one of its subdomains. */
export const belongsTo = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)
