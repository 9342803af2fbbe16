/** An address or CIDR as the feed writes it, and the country it states (ISO 3166 code) where it states one. */
export interface Entry {
  range: string
  country?: string | undefined
}

/**
 * Reads a whole feed. Knows the format only: whether the ranges are addresses is checked by who takes them.
 * @throws MalformedFeed when the text is not of the format
 */
export type Parser = (text: string) => Iterable<Entry>
