/** A URL without its user, password and query, which can hold a secret; of a file only the name. */
export function withoutSecrets(url: string): string {
  const { protocol, origin, pathname } = new URL(url)
  return protocol === 'file:'
    ? `file:${pathname.slice(pathname.lastIndexOf('/') + 1)}`
    : `${origin}${pathname}`
}
