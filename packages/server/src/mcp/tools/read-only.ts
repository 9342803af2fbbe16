/** Every tool asks one API by GET and changes nothing. */
export const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const
