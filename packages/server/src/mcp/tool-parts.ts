import { NIL_UUID } from '@inkling/contract'
import { z } from 'zod'

/** What each tool says of itself. */
export const READING_TOOL = { readOnlyHint: true, openWorldHint: false } as const

/** A UUID that names something. */
export const namedId = (what: string) =>
  z
    .guid()
    .refine((value) => value !== NIL_UUID, 'the nil UUID stands for everybody without an identifier')
    .describe(`${what}, a UUID`)

export const NO_EXPLANATION = 'There is no such identification in this domain, or not yet.'
