/** Public addresses of the installation, which the server writes into the page. No secrets. */
export interface Installation {
  /** Public base URLs, without a trailing slash. */
  agentUrl: string
  ingestUrl: string
  historyUrl: string
  /** The name in the webhook headers, such as `Svc` in `X-Svc-Signature`. */
  serviceName: string
}

export function readInstallation(): Installation {
  const content = document.querySelector<HTMLMetaElement>('meta[name=installation]')?.content
  return JSON.parse(content ?? '')
}

/** The nonce with which the page's content security policy allows style elements. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
