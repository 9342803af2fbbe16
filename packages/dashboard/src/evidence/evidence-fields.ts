import { type EvidenceFact, isRecord, many, plain, readableName } from './plain-words.ts'

/** What a field of evidence is called, and how its value reads. */
export interface EvidenceField {
  label: string
  /** Without it, the value is laid out as it is. */
  says?(value: unknown): EvidenceFact['value']
  identifier?: EvidenceFact['identifier']
}

const always = (text: string) => () => text
const either = (yes: string, no: string) => (value: unknown) => (value === true ? yes : no)
const listed = (word: (item: string) => string) => (value: unknown) =>
  many(value)
    .map((item) => word(plain(item)))
    .join(', ')

const ADDRESSES: Record<string, EvidenceField> = {
  address: { label: 'Address', identifier: 'ip' },
  real_address: { label: 'Address behind it', identifier: 'local_ip' },
  real_country: { label: 'Country of that address' },
  other_network: { label: 'Networks of the two', says: either('different', 'the same') },
  asn: { label: 'Network', says: (value) => `AS${plain(value)}` },
  organization: { label: 'Operator of the network' },
  address_country: { label: 'Country of the address' },
}

const CONNECTION: Record<string, EvidenceField> = {
  browser_os: { label: 'System, says the browser' },
  network_os: { label: 'System, say its packets' },
  forged: { label: 'Its packets', says: either('made to look like those of another system', 'are genuine') },
  round_trip_gap_ms: { label: 'The browser answers later than its connection by' },
  browser_ms: { label: 'Round trip to the browser' },
  connection_ms: { label: 'Round trip of the connection' },
  address_data: { label: 'Address data', says: either('the address belongs to a VPN', 'no VPN is known') },
  packet_size: { label: 'Packet size', says: either('as in a VPN’s tunnel', 'as without a tunnel') },
  network_check: { label: 'Network check', says: either('no packet arrived', 'its packets arrived') },
  mss: { label: 'Largest segment (MSS)' },
  tls_of_library: { label: 'Its TLS was written by a library, not by the browser' },
  tls_unknown: { label: 'Its TLS is that of no known browser' },
  tls_of_other_browser: { label: 'Its TLS is that of another browser' },
  http2_unknown: { label: 'HTTP/2 is opened as by no known browser' },
  http2_of_other_browser: { label: 'HTTP/2 is opened as by another browser' },
  request_kind: { label: 'The request was not made by the agent' },
  fetch_metadata: { label: 'Headers that every browser sends are missing' },
  no_channel: { label: 'Follow-up channel', says: always('not opened') },
  script_not_loaded: { label: 'Agent’s script', says: always('not loaded from this network') },
  curves_unlike: {
    label: 'The ticket’s curves',
    says: always('measured unlike in all other browsers of its version'),
  },
  curves_missing: {
    label: 'The ticket’s curves',
    says: always('not measured, unlike in practically all visits of the page’s host'),
  },
  ticket_missing: {
    label: 'Ticket',
    says: always('missing, unlike in practically all visits of the domain'),
  },
  readings_missing: { label: 'Not named in the body', says: listed(readableName) },
  readings_failed: { label: 'Failed, as in no browser', says: listed(readableName) },
  impossible_timeouts: { label: 'Timed out, as in no browser', says: listed(readableName) },
  no_readings: { label: 'Body', says: always('without a single reading') },
  responder: {
    label: 'Expected',
    says: (value) => (value === 'turn' ? 'a packet at this server’s TURN responder' : plain(value)),
  },
  transports: { label: 'Arrived over', says: listed((transport) => transport.toUpperCase()) },
}

const BROWSER: Record<string, EvidenceField> = {
  browser_zone: { label: 'Time zone of the browser' },
  browser_offset_minutes: { label: 'Its distance from UTC' },
  gap_minutes: { label: 'Distance from the address’s time zone' },
  user_agent: { label: 'User agent' },
  missing: { label: 'Missing', says: listed(readableName) },
  beacon: {
    label: 'Seen',
    says: (value) =>
      value === 'noscript image loaded'
        ? 'the image for browsers without JavaScript was loaded'
        : plain(value),
  },
  private_mode: { label: 'Files in this window' },
  files: { label: 'Answer to a request for files' },
  write_ms: { label: 'Time of a write' },
  flush_ratio: { label: 'A write to disk takes, compared with one to memory' },
  signal: { label: 'Verdict', says: (value) => readableName(plain(value)) },
  request_id: { label: 'Earlier visit', identifier: 'request_id' },
  first_request_id: { label: 'First sent as', identifier: 'request_id' },
}

const AUTOMATION: Record<string, EvidenceField> = {
  webdriver: { label: 'The browser says', says: always('a program controls it (navigator.webdriver)') },
  webdriver_in_frame: {
    label: 'An empty frame says',
    says: always('a program controls the browser; the page itself hides it'),
  },
  webdriver_replaced: { label: 'navigator.webdriver was replaced', says: listed(nativeText) },
  markers: { label: 'Left in the page by an automation tool' },
  headless_in: { label: 'Calls itself headless in' },
  inspector: { label: 'Developer tools', says: always('attached') },
  private: { label: 'Window', says: always('private') },
  antidetect: { label: 'Pretends to be another browser', says: listed(labelOf) },
  window_over_screen: { label: 'The window is larger than the screen', says: sizes },
  page_over_window: { label: 'The page is larger than its window', says: sizes },
  page_misfit: { label: 'The page does not fit its window', says: sizes },
  input: { label: 'Mouse and keyboard', says: inputFacts },
  driven_input: { label: 'Mouse, keyboard and console', says: drivenFacts },
  clicks_without_focus: { label: 'Clicks in a window without focus' },
  points: {
    label: 'Strength of these signs',
    says: (value) => `${plain(value)}, on a scale of its own: the score counts the signal’s weight`,
  },
}

const TAMPERING: Record<string, EvidenceField> = {
  worker_mismatch: { label: 'The page contradicts its worker', says: (value) => realms(value, 'worker') },
  frame_mismatch: { label: 'The page contradicts an empty frame', says: (value) => realms(value, 'iframe') },
  engine_mismatch: { label: 'The engine is not the one it claims' },
  platform_mismatch: { label: 'The system is not the one it claims' },
  client_hints_mismatch: { label: 'Client hints contradict the user agent' },
  native_lies: { label: 'Built-in functions replaced in secret', says: listed(nativeText) },
  header_mismatch: { label: 'The request’s headers contradict the page' },
  permission_mismatch: { label: 'One permission has two answers' },
  hardware_changed: { label: 'Other hardware than at the last visit', says: listed(componentName) },
  claimed: { label: 'Claimed' },
  hinted: { label: 'Client hints' },
  eval_length: { label: 'Length of a built-in function’s text' },
  renderer: { label: 'Graphics card' },
  header: { label: 'Header' },
  script: { label: 'Page' },
  sent: { label: 'Sent' },
}

/** What the server observes of a connection. */
const OBSERVATIONS: Record<string, EvidenceField> = {
  syn: { label: 'First packet' },
  tcpRoundTrip: { label: 'TCP round trip' },
  tls: { label: 'TLS hello' },
  http2: { label: 'HTTP/2 settings' },
  turn: { label: 'Network check' },
  roundTrip: { label: 'Follow-up round trips' },
  report: { label: 'Browser’s own report' },
  ttl: { label: 'TTL' },
  ip: { label: 'IP' },
  ja4: { label: 'JA4' },
  alpn: { label: 'ALPN' },
}

const FIELDS: Record<string, EvidenceField> = {
  ...OBSERVATIONS,
  ...ADDRESSES,
  ...CONNECTION,
  ...BROWSER,
  ...AUTOMATION,
  ...TAMPERING,
}

const COMPONENTS: Record<string, string> = {
  machine: 'Processor and touch',
  model: 'Model and memory',
  gpu: 'Graphics card',
  limits: 'Graphics limits',
  raster: 'Drawings',
  waveform: 'Audio rendering',
  rounding: 'Maths library',
  typefaces: 'Fonts',
  settings: 'System settings',
  timezone: 'Time zone',
  address: 'IP address',
  prefix: 'Network of the address',
}

/** A component of a device in words. */
export function componentName(name: string): string {
  return Object.hasOwn(COMPONENTS, name) ? (COMPONENTS[name] ?? name) : readableName(name)
}

export const fieldOf = (name: string): EvidenceField | undefined =>
  Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined

/** The label of a field or indicator. */
export function labelOf(name: string): string {
  return fieldOf(name)?.label ?? readableName(name)
}

/** Facts that the page and another realm of the browser tell differently. */
function realms(value: unknown, realm: 'worker' | 'iframe'): EvidenceFact['value'] {
  const name = realm === 'worker' ? 'the worker' : 'the frame'
  return many(value)
    .filter(isRecord)
    .map((difference) => ({
      label: labelOf(plain(difference.fact)),
      value: `“${plainList(difference.page)}” says the page, “${plainList(difference[realm])}” says ${name}`,
    }))
}

const plainList = (value: unknown): string => many(value).map(plain).join(', ')

const SIGNS: Record<string, string> = {
  proxy: 'wrapped in a proxy',
  this: 'answers without its object',
  text: 'its source text is not the browser’s',
  shape: 'has properties of its own',
  value: 'a plain value instead of a getter',
  missing: 'missing',
  own: 'defined on the object itself',
}

/** `Navigator.platform:proxy` as `Navigator.platform (wrapped in a proxy)`. */
function nativeText(entry: string): string {
  const [name = '', sign = ''] = entry.split(':')
  return Object.hasOwn(SIGNS, sign) ? `${name} (${SIGNS[sign]})` : entry
}

function sizes(value: unknown): EvidenceFact['value'] {
  if (!isRecord(value)) return plain(value)
  const size = (width: string, height: string) => `${plain(value[width])} × ${plain(value[height])}`
  return [
    { label: 'Page', value: size('inner_width', 'inner_height') },
    { label: 'Window', value: size('outer_width', 'outer_height') },
    { label: 'Screen', value: size('width', 'height') },
    { label: 'Pixel ratio', value: plain(value.pixel_ratio) },
  ]
}

const INPUT_SIGNS: Record<string, string> = {
  instant_keys: 'keys follow each other without a pause',
  instant_clicks: 'clicks take no time',
  centred_clicks: 'every click hits the exact centre',
  few_moves: 'the pointer jumps to its targets',
}

const DRIVEN_FACTS: Record<string, string> = {
  console_reader: 'the console is being read, and not by developer tools',
  worker_console_reader: 'the console of workers is being read, and not by developer tools',
  allowed_position: 'the page knows the position without having asked',
  made_up_keyboard: 'the keyboard is that of a browser without a display',
  bare_window: 'its window has no bars',
  no_pointer: 'there is neither mouse nor touch screen',
  no_pressure: 'clicks have no pressure',
  off_grid: 'the pointer is between pixels',
  quarter_pixels: 'the pointer is at centres of boxes, between pixels',
  stamps: 'events do not have the clock of the display',
  one_move_per_frame: 'the pointer never moves twice within a frame',
  no_bars: 'positions on the screen forget the bars of the window',
  bare_capitals: 'capitals without shift',
  inserted_text: 'text appears without keys',
  characters_without_keys: 'characters appear without keys',
}

function drivenFacts(value: unknown): EvidenceFact['value'] {
  if (!isRecord(value)) return plain(value)
  const facts = many(value.facts ?? []).map((fact) => DRIVEN_FACTS[plain(fact)] ?? readableName(plain(fact)))
  return [{ label: 'Unlike a person’s', value: facts.join(', ') }]
}

function inputFacts(value: unknown): EvidenceFact['value'] {
  if (!isRecord(value)) return plain(value)
  const count = (name: string, label: string): EvidenceFact => ({ label, value: plain(value[name]) })
  const time = (name: string, label: string): EvidenceFact[] =>
    typeof value[name] === 'number' ? [{ label, value: `${plain(value[name])} ms` }] : []
  return [
    {
      label: 'Unlike a person’s',
      value: many(value.signs ?? [])
        .map((sign) => INPUT_SIGNS[plain(sign)] ?? readableName(plain(sign)))
        .join(', '),
    },
    count('moves', 'Moves'),
    count('clicks', 'Clicks'),
    count('centred', 'Clicks in the centre'),
    ...time('hold_ms', 'Length of a click'),
    count('keys', 'Keys'),
    ...time('key_gap_ms', 'Pause between keys'),
  ]
}
