import { z } from 'zod'

/** The version of the plain JSON ingest body that this package describes. */
export const INGEST_BODY_VERSION = 1

/** Why a source gave no value: the browser lacks it, it threw, or it took too long. */
export const ReadingError = z
  .enum(['unsupported', 'failed', 'timeout'])
  .describe('Why there is no value: the browser lacks it, it threw, or it took too long')
export type ReadingError = z.infer<typeof ReadingError>

const text = z.string().max(2_048)
const count = z.number().int().nonnegative()
/** Left out while it is 0. */
const seldom = count.default(0)
const names = z.array(z.string().max(256)).max(512)

const Brand = z.object({ brand: text, version: text })

/** A value read twice; `stable` is false when the browser adds noise, so that it identifies nothing. */
const noisy = { stable: z.boolean() }

/** What one realm of a page says of the machine. */
const realm = {
  user_agent: text,
  platform: text,
  languages: names,
  cores: count.nullable(),
  memory_gb: z.number().nullable(),
  timezone: text,
  webgl_renderer: text.nullable(),
}

const share = z.number().min(0).max(1_000).optional()
/** The shares only where something reads the console. */
const consoleReader = z.object({
  attached: z.boolean(),
  handler_share: share.describe(
    'Time to register a handler of a promise, as a share of the time to make an error. About 1 where a debugger records asynchronous stacks, else near 0',
  ),
  timer_share: share.describe(
    'Time to set and clear a timer, likewise. About 12 where performance is recorded, else under 1',
  ),
})

/**
 * What each source of the agent reports, in the order in which the agent reads them. A source that could not answer
 * sends an error instead.
 *
 * The order: first the sources that return at once, so that a page left early still sends the most important; then those
 * that run on other threads; last those that need the page's own thread. Changing what a source returns changes who
 * matches whom, so a new meaning gets a new name.
 */
export const READINGS = {
  user_agent: text.describe('navigator.userAgent'),
  input: z
    .object({
      moves: count,
      moves_before_click: count.nullable(),
      clicks: count,
      unfocused: count,
      centred: count,
      hold_ms: z.number().nullable(),
      keys: count,
      key_gap_ms: z.number().nullable(),
    })
    .describe('How mouse and keyboard were used, medians in milliseconds; never what was pressed'),
  input_traces: z
    .object({
      flat: seldom.describe('Presses of a mouse button without pressure, where the pointer is'),
      batched: seldom.describe(
        '1 if a move came in one frame with others, or where that cannot be known; older agents count them',
      ),
      quarters: seldom.describe('Positions between device pixels, on a grid of 1/4'),
      subpixels: seldom.describe('Others on a grid of 1/256'),
      off_grid: seldom.describe('Positions on no such grid'),
      odd_stamps: seldom.describe('Time stamps with another fraction of a millisecond than the first'),
      repaired: seldom.describe('Positions on the screen that leave no room for the bars of the window'),
      keys: seldom.describe('Keys pressed, repeats included'),
      characters: seldom.describe('Characters inserted one by one'),
      insertions: seldom.describe('Longer texts inserted without a key, a paste, a drop or a composition'),
      capitals: seldom.describe('Capitals of letter keys without shift and caps lock'),
    })
    .describe(
      'How often input lacked what devices give it; counts alone, nothing of what was typed or pressed',
    ),
  honeytokens: z
    .object({
      placed: count.describe('Forms that have a field and a link which people do not see'),
      filled: seldom.describe('Of these, forms whose field has a text, whoever put it there'),
      typed: seldom.describe('Forms whose field had the focus while characters were pressed'),
      followed: seldom.describe('Forms whose link was followed'),
      unattended: seldom.describe('Forms sent with such a text before anybody had touched the page'),
    })
    .nullable()
    .describe(
      'What became of fields and links that people do not see, never what was filled in; null without any',
    ),
  automation: z
    .object({ webdriver: z.boolean(), markers: names })
    .describe('navigator.webdriver and names that only automation leaves behind'),
  platform: text.describe('navigator.platform'),
  vendor: z.object({ vendor: text, product_sub: text }).describe('navigator.vendor and productSub'),
  hardware: z
    .object({ cores: count.nullable(), memory_gb: z.number().nullable(), max_touch_points: count })
    .describe('Logical cores, memory as the browser rounds it, touch points'),
  screen: z
    .object({
      width: z.number(),
      height: z.number(),
      avail_width: z.number(),
      avail_height: z.number(),
      color_depth: z.number(),
      pixel_ratio: z.number(),
    })
    .describe('Screen, CSS pixels'),
  window: z
    .object({
      inner_width: z.number(),
      inner_height: z.number(),
      outer_width: z.number(),
      outer_height: z.number(),
      screen_x: z.number(),
      screen_y: z.number(),
    })
    .describe('Window geometry, CSS pixels'),
  frame: z.object({ nested: z.boolean(), cross_origin: z.boolean() }).describe('Whether the page is framed'),
  connection: z
    .object({ effective_type: text.nullable(), save_data: z.boolean().nullable() })
    .describe('Network information as the browser rounds it'),
  timezone: z
    .object({ name: text, offset_minutes: z.number() })
    .describe('IANA zone; minutes east of UTC at the time of the visit'),
  languages: z
    .object({ language: text, languages: names, locale: text })
    .describe('navigator.language, navigator.languages and the Intl locale'),
  client_hints: z
    .object({
      brands: z.array(Brand).max(16),
      mobile: z.boolean(),
      platform: text,
      platform_version: text.optional(),
      architecture: text.optional(),
      bitness: text.optional(),
      model: text.optional(),
      full_version_list: z.array(Brand).max(16).optional(),
    })
    .describe('User-agent client hints, high-entropy values included'),
  waveform: z
    .object({ synthesis: text, resampling: text, ...noisy })
    .describe('Hashes of two signals, rendered offline by the audio code'),
  storage: z
    .object({
      cookies: z.boolean(),
      local_storage: z.boolean(),
      session_storage: z.boolean(),
      indexed_db: z.boolean(),
    })
    .describe('Which kinds of storage work'),
  permissions: z
    .record(z.string().max(64), text)
    .describe('Permission states as the browser reports them; nothing is ever asked for'),
  webgl: z
    .object({
      vendor: text,
      renderer: text,
      unmasked_vendor: text.nullable(),
      unmasked_renderer: text.nullable(),
      version: text,
      shading_language: text,
      parameters: text,
      extensions: text,
    })
    .describe('GPU names; hashes of the parameters and of the extension list'),
  raster: z
    .object({ glyphs: text, shapes: text, ...noisy })
    .describe('Hashes of a drawing of letters and one of shapes'),
  typefaces: names.describe('Installed fonts out of a fixed list'),
  preferences: z
    .object({
      color_scheme: text,
      contrast: text,
      reduced_motion: z.boolean(),
      forced_colors: z.boolean(),
      color_gamut: text,
      hdr: z.boolean(),
      pointer: text,
      hover: z.boolean(),
      do_not_track: text.nullable(),
      global_privacy_control: z.boolean().nullable(),
    })
    .describe('Preferences that the operating system and the browser expose to CSS and to script'),
  plugins: z
    .object({ names, mime_types: count, pdf_viewer: z.boolean().nullable() })
    .describe('navigator.plugins'),
  missing_apis: names.describe('Which of the interfaces are missing that ordinary browsers have'),
  inspector: consoleReader.describe(
    "Whether something reads the console's messages, and whether it debugs or records",
  ),
  tampering: names.describe("Natives that are not the browser's own, each with how that shows"),
  engine: z
    .object({ features: text, eval_length: count, error_style: text })
    .describe('JavaScript and DOM features by version, and how the engine words things'),
  rounding: text.describe('Hash of results whose last bit differs between maths libraries'),
  codecs: names.describe('Playable media types out of a fixed list'),
  worker: z.object(realm).describe('The same facts seen from a worker'),
  iframe: z
    .object({ ...realm, webdriver: z.boolean(), disguised: names.optional() })
    .describe(
      "The same facts seen from an empty frame; without the GPU. Natives of the page that look like the browser's own only in the page",
    ),
  worker_inspector: consoleReader.describe(
    'The same seen from a worker; only where something reads the console of the page, or where that is not known',
  ),
  keyboard: z
    .object({ made_up: z.boolean() })
    .describe('Whether the keyboard is the one that Chromium makes up where it has no display'),
  media_devices: names.describe('Kinds of media device that exist, never how many'),
  private_mode: z
    .object({ files: text, write_ms: z.number().nullable(), flush_ratio: z.number().nullable() })
    .describe(
      'How the browser responds to a request for files; time of a write; ratio of its time with a flush to that without',
    ),
} as const

export type ReadingName = keyof typeof READINGS
export type ReadingValues = { [Name in ReadingName]: z.infer<(typeof READINGS)[Name]> }

/** Readings that accumulate during the visit, so that a later one replaces an earlier one. */
export const GROWING_READINGS: readonly ReadingName[] = ['input', 'input_traces', 'honeytokens']

/** What a source reported: its value, or why there is none. */
export type Reading<Value> = { value: Value } | { error: ReadingError }
export type ReportedReadings = { [Name in ReadingName]?: Reading<ReadingValues[Name]> }

const readingShape: Record<string, z.ZodType> = Object.fromEntries(
  Object.entries(READINGS).map(([name, value]) => [
    name,
    z
      .union([z.object({ value }), z.object({ error: ReadingError })])
      .optional()
      .describe(value.description ?? ''),
  ]),
)

const BodyProof = z
  .object({
    ticket: z
      .string()
      .max(128)
      .optional()
      .describe('Answer of `GET /ticket/{request_id}`; empty where there is none'),
    digest: z
      .string()
      .max(64)
      .optional()
      .describe('`digestOf` request ID, ticket and all text before the proof, with a space between each'),
    key: z
      .string()
      .max(64)
      .nullable()
      .optional()
      .describe('Public key of the browser: compressed P-256 point, base64; `null` where it can keep none'),
    signature: z
      .string()
      .max(128)
      .optional()
      .describe(
        'ECDSA with SHA-256 by that key over the text of the digest, 64 bytes in base64; if interrupted, without the body',
      ),
    curves: z
      .array(z.number())
      .max(8)
      .nullable()
      .optional()
      .describe(
        'Lengths of the two curves that the ticket asks for; `null` where the browser cannot measure them',
      ),
    interrupted: z.literal(true).optional().describe('The page was left before all readings were there'),
  })
  .describe('What vouches for the body; the last key of its text, or it proves nothing')

/**
 * The plain JSON body of `POST /snapshot/{request_id}`. Every field may be missing and unknown ones
 * are ignored: a missing fact is unknown, never suspicious.
 */
export const IngestBody = z
  .object({
    version: z.literal(INGEST_BODY_VERSION).optional().describe('Version of this form'),
    request_id: z
      .string()
      .optional()
      .describe('The request ID that the body was made for, so that a copy under another one is recognised'),
    agent_version: z.string().max(64).optional().describe('Version of the agent that collected it'),
    session_id: z.string().optional().describe('UUID v4; anything else is stored as the nil UUID'),
    cookie_id: z.string().optional().describe('UUID v4; anything else is stored as the nil UUID'),
    user_hid: z
      .string()
      .max(1_024)
      .optional()
      .describe('Pseudonymous account identifier, of at most 2,048 bytes of UTF-8; `fail` when missing'),
    landing: z
      .object({
        url: z.string().max(8_192).describe('Address of the page'),
        referrer: z.string().max(8_192).describe('`document.referrer`, may be empty'),
      })
      .partial()
      .optional()
      .describe('First page of the visit and where it came from'),
    join: z
      .string()
      .max(16_384)
      .optional()
      .describe('The `join_key` of the assessment of the request for this page'),
    follow_up: z
      .boolean()
      .optional()
      .describe('Whether the agent opened `/follow/{request_id}`, so that later checks are waited for'),
    duration_ms: z
      .number()
      .nonnegative()
      .optional()
      .describe('How long collecting took. Agents add a random fraction, so that no two bodies are alike'),
    readings: z
      .object(readingShape)
      .optional()
      .describe('One reading per source: its value, or why there is none'),
    proof: BodyProof.optional(),
  })
  .describe('A collected fingerprint')
export type IngestBody = Omit<z.input<typeof IngestBody>, 'readings'> & { readings?: ReportedReadings }

/**
 * Layout of the encrypted body, which binds the request ID: one version byte, the agent's ephemeral
 * P-256 public key (65 bytes, uncompressed), a 12-byte nonce, then AES-256-GCM ciphertext and tag.
 * Key: HKDF-SHA-256 over the ECDH secret, salt = the ephemeral public key, info = `inkling ingest v1`.
 * Additional data: the lowercase request ID as UTF-8. Plaintext: the plain JSON body.
 */
export const ENCRYPTED_BODY = {
  versionByte: 1,
  publicKeyBytes: 65,
  nonceBytes: 12,
  tagBytes: 16,
  info: 'inkling ingest v1',
} as const
