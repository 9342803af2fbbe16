/** Times of the account API are RFC 3339 in UTC with milliseconds. */
export const presentTime = (atMs: number): string => new Date(atMs).toISOString()
