/**
 * Names that most verdicts hold by the dozen, stored as two characters each. Append only: a name's place is its code in
 * every stored row.
 */
const NAMES = [
  // Signals.
  ...['javascript_disabled', 'incomplete_evidence', 'implausible_evidence', 'replayed', 'client_mismatch'],
  ...['cookie_on_other_machine', 'antidetect_browser', 'browser_automation', 'sticky_verdict', 'tor'],
  ...[
    'privacy_relay',
    'vpn',
    'browser_vpn_proxy',
    'os_mismatch',
    'os_not_detected',
    'proxy',
    'datacenter_ip',
  ],
  ...['abuser', 'timezone_mismatch', 'stun_not_checked', 'stun_late_correction', 'ip_mismatch', 'incognito'],
  'check_incomplete',
  // Components of a device, and the readings that they are made of.
  ...[
    'machine',
    'model',
    'gpu',
    'screen',
    'raster',
    'waveform',
    'rounding',
    'limits',
    'typefaces',
    'languages',
  ],
  ...['timezone', 'settings', 'zoom', 'theme', 'address', 'prefix', 'provider', 'hardware', 'client_hints'],
  ...['webgl', 'preferences'],
  // Sources of the coverage.
  ...['ticket', 'device_key', 'tls', 'readings', 'network_check', 'first_packet', 'headers', 'round_trips'],
  'late_readings',
  // Names that later releases added.
  'honeytoken',
] as const

const CODE_LENGTH = 2
const codeOf = (index: number): string => index.toString(36).padStart(CODE_LENGTH, '0')
const CODES: ReadonlyMap<string, string> = new Map(NAMES.map((name, index) => [name, codeOf(index)]))

/** The codes of the names, one after the other; the names themselves if one of them has no code. */
export function shortNames(names: readonly string[]): string | readonly string[] {
  let text = ''
  for (const name of names) {
    const code = CODES.get(name)
    if (code === undefined) return names
    text += code
  }
  return text
}

/** Undefined for a name of a later release, which an older node meets while an update goes on. */
export function longNames(stored: string | readonly string[]): readonly (string | undefined)[] {
  // Rows of the first releases hold lists of names, or none.
  if (typeof stored !== 'string') return stored
  const names: (string | undefined)[] = []
  for (let from = 0; from < stored.length; from += CODE_LENGTH)
    names.push(NAMES[Number.parseInt(stored.slice(from, from + CODE_LENGTH), 36)])
  return names
}

/** Without names of a later release. */
export const knownNames = (stored: string | readonly string[]): string[] =>
  typeof stored === 'string' ? longNames(stored).filter((name) => name !== undefined) : (stored as string[])
