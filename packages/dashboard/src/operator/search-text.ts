/** The query of an address as plain text values: the router's own form would quote numbers and flags. */
export const readSearchText = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

export function writeSearchText(search: Record<string, unknown>): string {
  const known = Object.entries(search).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  )
  const text = new URLSearchParams(known).toString()
  return text === '' ? '' : `?${text}`
}
