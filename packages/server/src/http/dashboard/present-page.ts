/** What the pages for integration name. No secrets: everybody can read it. */
export interface Installation {
  agentUrl: string
  ingestUrl: string
  historyUrl: string
  serviceName: string
}

interface Page {
  /** One-time value of this answer. */
  nonce: string
  /** Path of the dashboard, with slashes around it. */
  path: string
  installation: Installation
}

/** The built page with what only the running server knows. */
export const presentPage = (built: string, { nonce, path, installation }: Page): string =>
  built
    .replaceAll('__CSP_NONCE__', nonce)
    .replace('<base href="/dashboard/">', () => `<base href="${attribute(path)}">`)
    .replace(
      '<meta name="installation" content="">',
      () => `<meta name="installation" content="${attribute(JSON.stringify(installation))}">`,
    )

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
