/** What the server writes into the page: where its parts are reached from outside. No secrets. */
export interface Installation {
  /** Public base URLs, without a slash at the end. */
  agentUrl: string
  ingestUrl: string
  historyUrl: string
  /** As in header names: `X-Svc-Signature`. */
  serviceName: string
}

export function readInstallation(): Installation {
  const content = document.querySelector<HTMLMetaElement>('meta[name=installation]')?.content
  return JSON.parse(content ?? '')
}
