import { DETECTION_FLAGS, SIGNAL_CATALOGUE, type SignalName } from '@inkling/contract'

const PLAIN: Record<string, string> = {
  purpose: 'What your backend asks for, such as "signup".',
  score: 'Score of the visit, 0 to 100.',
  band: '"trusted", "suspicious" or "dangerous".',
  evidence: 'How much of what could be known of the visit is known, 0 to 1.',
  'identity.outcome': 'How the device was recognised.',
  'identity.confidence': 'How sure the recognition is, 0 to 1.',
  'identity.is_new_device': 'Whether the device was never seen before.',
  'identity.clones': 'Other known devices that look just like it.',
  'agent.identity': 'Whether a declared agent is who it says, such as "verified" or "spoofed".',
  'agent.category': 'Kind of the declared agent.',
  'agent.operator': 'Who runs the declared agent.',
  'agent.name': 'Name of the declared agent.',
  address: 'Address of the visit.',
  country: 'Country of the address, in English.',
  asn: 'Number of the autonomous system of the address.',
  connection_type: 'Kind of connection of the address.',
  host: 'Host of the page.',
  browser: 'Browser with its version.',
  os: 'Operating system with its version.',
  device_type: 'Kind of device, such as a phone.',
  device_id: 'Device of the visit.',
  visitor_id: 'Visitor of the visit.',
  cookie_id: 'Cookie of the visit.',
  account: 'The account that your backend names, otherwise that of the visit.',
  address_matches: 'Whether your backend saw the address of the visit.',
  'lists.allow': 'Kinds of the entries of the allow list that match, such as "cidr".',
  'lists.deny': 'Kinds of the entries of the deny list that match.',
  'lists.watch': 'Kinds of the entries of the watch list that match.',
  fields: 'Facts of your own that your backend sends: fields.NAME.',
  age_seconds: 'Seconds from the visit to the question.',
}

const WINDOWS: Record<string, string> = {
  m5: '5 minutes',
  h1: 'an hour',
  h24: '24 hours',
  d7: '7 days',
}

/** What a fact says, in one sentence. */
export function factSentence(name: string): string {
  const [group, ...rest] = name.split('.')
  const [first = '', counter = '', window = ''] = rest
  if (group === 'signals' && Object.hasOwn(SIGNAL_CATALOGUE, first))
    return `Signal “${SIGNAL_CATALOGUE[first as SignalName].title}”.`
  if (group === 'flags')
    return `${DETECTION_FLAGS.find(({ flag }) => flag === first)?.meaning.replaceAll('`', '') ?? first}.`
  if (group === 'velocity')
    return `${counter === 'visits' ? 'Visits' : `Different ${counter}`} of the ${first} in ${WINDOWS[window] ?? window}, this visit included.`
  return PLAIN[name] ?? ''
}

/** CEL's types in plain words. */
export function typeWords(type: string, nullable: boolean): string {
  const words =
    { int: 'whole number', double: 'number', bool: 'true or false', string: 'text' }[type] ??
    (type.startsWith('list') ? 'list of texts' : 'your own')
  return nullable ? `${words}, or null` : words
}

/** Functions and words of conditions, beside the facts. */
export const CONDITION_WORDS: readonly { label: string; apply?: string; detail: string; info: string }[] = [
  { label: 'true', detail: 'word', info: 'True.' },
  { label: 'false', detail: 'word', info: 'False.' },
  { label: 'null', detail: 'word', info: 'What is unknown: country != null asks whether it is known.' },
  { label: 'in', detail: 'word', info: 'Whether a list has a value: country in ["Germany", "France"].' },
  { label: 'has', apply: 'has(', detail: 'function', info: 'Whether one of your own fields was sent.' },
  { label: 'size', apply: 'size(', detail: 'function', info: 'Length of a text or a list.' },
  ...['startsWith', 'endsWith', 'contains'].map((label) => ({
    label,
    apply: `${label}(`,
    detail: 'function',
    info: `Of a text: browser.${label}("…").`,
  })),
  { label: 'lowerAscii', apply: 'lowerAscii()', detail: 'function', info: 'A text in lower case.' },
]
