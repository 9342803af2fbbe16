import { z } from 'zod'
import { LABEL_KIND_PATTERN, LABEL_SUBJECTS } from './lists.ts'

const SOURCE_MAX = 60
const NOTE_MAX = 500
const VALUE_MAX = 1_024

export const LabelDraft = z
  .strictObject({
    kind: z
      .string()
      .regex(LABEL_KIND_PATTERN, 'lower-case letters, digits and underscores, at most 40')
      .describe('`fraud`, `legitimate`, `chargeback`, or a kind of your own'),
    subject: z
      .strictObject({
        type: z.enum(LABEL_SUBJECTS).describe('Kind of identifier; `account` is your `user_hid`'),
        value: z.string().min(1).max(VALUE_MAX).describe('The identifier. It is stored in normal form'),
      })
      .describe('What the label is about'),
    source: z
      .string()
      .min(1)
      .max(SOURCE_MAX)
      .describe('Who says so, such as `payment_provider`. Two sources may say different things'),
    at: z.iso
      .datetime()
      .optional()
      .describe('When it became known; RFC 3339, UTC. The time of the request by default'),
    note: z.string().max(NOTE_MAX).default('').describe('For people'),
  })
  .describe(
    'What you found out about a visitor. The same kind, subject and source is the same label: it replaces time and note',
  )
export type LabelDraft = z.infer<typeof LabelDraft>

export const Label = z
  .object({
    id: z.int().describe('Number of the label, the same when it is sent again'),
    kind: z.string().describe('`fraud`, `legitimate`, `chargeback`, or a kind of your own'),
    subject: z
      .object({
        type: z.enum(LABEL_SUBJECTS).describe('Kind of identifier'),
        value: z.string().describe('In normal form'),
      })
      .describe('What the label is about'),
    source: z.string().describe('Who says so'),
    at: z.string().describe('When it became known; RFC 3339, UTC'),
    note: z.string().describe('For people'),
    author: z.string().describe('E-mail address of the user who stored it, `command line` or `api key`'),
  })
  .describe('A label')
export type Label = z.infer<typeof Label>
