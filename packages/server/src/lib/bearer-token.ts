/** `Bearer` is matched in any case and blanks around it do not matter; undefined without a token. */
export function bearerToken(authorization: string | undefined): string | undefined {
  // Trimmed first: a pattern that also looks for blanks at the end takes quadratic time on a hostile header.
  return /^bearer\s+(.+)$/i.exec((authorization ?? '').trim())?.[1]
}
