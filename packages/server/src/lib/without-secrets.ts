/** What keys, tokens and credentials look like wherever they stand, and what stands there instead. */
const SECRETS: readonly [RegExp, string][] = [
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(Bearer|Basic)\s+[^\s"',]+/gi, '$1 [credential]'],
  [/\bsec_[a-z0-9]{8}(-[a-z0-9]{8}){2}/gi, '[key]'],
  [/\bwhsec_[0-9a-f]{32}/gi, '[key]'],
  // Public and Secret Keys.
  [/\b[0-9a-f]{32}\b/gi, '[key]'],
  [/\/\/[^\s/@"']+@/g, '//[credential]@'],
  // Queries carry the keys of feeds and endpoints.
  [/\?[^\s"'?=]+=[^\s"']*/g, '?[query]'],
]

/** The same text for a log that many may read. */
export const withoutSecrets = (text: string): string =>
  SECRETS.reduce((cleaned, [pattern, instead]) => cleaned.replace(pattern, instead), text)
