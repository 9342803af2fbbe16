import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { HOUR_MS } from '../../lib/durations.ts'
import { AppError } from '../../lib/errors.ts'
import { FEEDS_PUBLIC, type Feed } from './feed.ts'
import { PARSERS, type ParserName } from './parsers/parsers.ts'
import { PUBLIC_FEEDS } from './public-feeds.ts'

/** Neither this nor `FEEDS_PUBLIC`: the name of a file. */
const FEEDS_OFF = 'off'

/** A feed in the operator's file. With the ID of a public feed, missing fields are taken from that feed. */
const OwnFeed = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9_]{1,40}$/, 'lower case letters, digits and _ only'),
    url: z.url({ protocol: /^(?:https?|file)$/, error: 'an https:, http: or file: URL' }),
    parser: z.enum(Object.keys(PARSERS) as [ParserName, ...ParserName[]]),
    kind: z.enum(['tor', 'privacy_relay', 'vpn', 'hosting', 'mobile', 'abuser', 'crawler', 'agent']),
    crawler: z.string().min(1).optional(),
    cadence_hours: z.number().min(1).max(8_760).default(24),
    min_rows: z.number().int().min(1).default(1),
    max_rows: z.number().int().min(1).max(5_000_000).default(1_000_000),
    max_bytes: z.number().int().min(1).max(500_000_000).default(50_000_000),
    terms: z.string().default(''),
  })
  .refine(({ kind, crawler }) => (kind === 'crawler' || kind === 'agent') === (crawler !== undefined), {
    path: ['crawler'],
    error: 'is required for feeds of kind crawler or agent, and allowed for no others',
  })
  .transform(
    ({ cadence_hours, min_rows, max_rows, max_bytes, ...feed }): Feed => ({
      ...feed,
      cadenceMs: cadence_hours * HOUR_MS,
      minRows: min_rows,
      maxRows: max_rows,
      maxBytes: max_bytes,
    }),
  )

const publicFeed = (id: unknown): Feed | undefined => PUBLIC_FEEDS.find((feed) => feed.id === id)

/** Adds the fields of a public feed to an entry with its ID; the ID alone declares it unchanged. */
const complete = (entry: unknown): unknown => {
  const given = typeof entry === 'string' ? { id: entry } : entry
  const known =
    typeof given === 'object' && given !== null && 'id' in given ? publicFeed(given.id) : undefined
  return known ? { ...declarationOf(known), ...(given as object) } : given
}

const declarationOf = ({ cadenceMs, minRows, maxRows, maxBytes, ...feed }: Feed) => ({
  ...feed,
  cadence_hours: cadenceMs / HOUR_MS,
  min_rows: minRows,
  max_rows: maxRows,
  max_bytes: maxBytes,
})

const FeedsFile = z.array(z.preprocess(complete, OwnFeed)).superRefine((feeds, context) => {
  feeds.forEach(({ id }, index) => {
    if (feeds.findIndex((feed) => feed.id === id) < index)
      context.addIssue({ code: 'custom', path: [index, 'id'], message: `${id} is declared twice` })
  })
})

/**
 * The feeds that the setting `FEEDS` names.
 * @throws AppError `INK_FEEDS_FILE` with every problem of its file
 */
export async function readFeeds(setting: string): Promise<readonly Feed[]> {
  if (setting === FEEDS_PUBLIC) return PUBLIC_FEEDS
  if (setting === FEEDS_OFF) return []
  const text = await readFile(setting, 'utf8').catch((cause: Error) => {
    throw new AppError('INK_FEEDS_FILE', `FEEDS: ${cause.message}`, { cause })
  })
  const parsed = FeedsFile.safeParse(parse(setting, text))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
  )
  throw new AppError('INK_FEEDS_FILE', `FEEDS: ${setting} is invalid:\n  ${problems.join('\n  ')}`)
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('INK_FEEDS_FILE', `FEEDS: ${file} is not JSON`, { cause })
  }
}
