import { z } from 'zod'

export const PATTERN_ENTITIES = ['device_id', 'visitor_id', 'user_hid', 'local_ip'] as const
export type PatternEntity = (typeof PATTERN_ENTITIES)[number]

export const PATTERN_GRADES = ['suspicious', 'dangerous'] as const
export type PatternGrade = (typeof PATTERN_GRADES)[number]

interface PatternEntry {
  /** Its name for people. */
  title: string
  /** The kind of entity that a finding is about. */
  entity: PatternEntity
  /** What the count of a finding counts. */
  counts: string
  meaning: string
  /** Innocent causes. */
  innocent: string
}

/** The patterns of abuse over many visits, in words for people. */
export const PATTERN_CATALOGUE = {
  many_accounts_on_device: {
    title: 'Many accounts on one device',
    entity: 'device_id',
    counts: 'accounts that are mostly used on this device',
    meaning: 'One device signs in to many accounts: an account farm, or somebody who tries stolen passwords.',
    innocent:
      'A family tablet, a kiosk, a shop’s till. An account that is mostly used on other devices does not count.',
  },
  many_devices_on_account: {
    title: 'Many devices on one account',
    entity: 'user_hid',
    counts: 'devices of the account',
    meaning: 'One account is used from more devices than a person has: it is shared, sold or taken over.',
    innocent: 'A team that shares one login, a tester, somebody who sets up devices for others.',
  },
  changing_ids_on_account: {
    title: 'Changing IDs on one account',
    entity: 'user_hid',
    counts: 'cookies, or visitors, of the account on one host',
    meaning: 'The browser of one account looks new again and again: its traces are wiped between visits.',
    innocent: 'Somebody who only uses private windows, or clears cookies whenever the browser closes.',
  },
  many_accounts_on_local_ip: {
    title: 'Many accounts on one local IP',
    entity: 'local_ip',
    counts: 'accounts that share their main device, or whose average score is 30 or more',
    meaning: 'Many accounts behind one real address share more than the connection.',
    innocent:
      'A company, a school, a carrier. Neighbours with a device of their own and a trusted score do not count.',
  },
  many_countries_on_account: {
    title: 'Several countries on one account in a day',
    entity: 'user_hid',
    counts: 'countries within 24 hours',
    meaning: 'One account is used from more countries than a person can be in during a day.',
    innocent:
      'A journey with stopovers, a roaming phone beside a hotel’s network. VPN, proxy, relay and Tor visits do not count.',
  },
  many_devices_on_visitor: {
    title: 'Many devices on one visitor',
    entity: 'visitor_id',
    counts: 'devices of the visitor',
    meaning:
      'One browser profile shows up on many machines: it is copied, or its device is made up each time.',
    innocent: 'A profile that moved to a new computer, a browser whose update changed what it looks like.',
  },
  shared_local_ip: {
    title: 'One local IP behind accounts that look unrelated',
    entity: 'local_ip',
    counts: 'accounts with a device and a public network of their own',
    meaning:
      'Accounts that seem to be strangers, each with its own device and proxy, come from one real address.',
    innocent:
      'A company that sends its staff through a proxy (they share its networks), a household that likes VPNs.',
  },
  new_device_and_country: {
    title: 'New device and new country on one account',
    entity: 'user_hid',
    counts: 'new devices in new countries, twice where a known device was elsewhere within six hours',
    meaning:
      'A known account appears on an unknown device in an unknown country: it may have been taken over.',
    innocent: 'Somebody who bought a phone on a journey. VPN, proxy, relay and Tor visits do not count.',
  },
} as const satisfies Record<string, PatternEntry>

export type PatternName = keyof typeof PATTERN_CATALOGUE
export const PATTERN_NAMES = Object.keys(PATTERN_CATALOGUE) as [PatternName, ...PatternName[]]

export const PATTERN_CHANGES = ['new', 'raised', 'lowered', 'resolved'] as const
export type PatternChange = (typeof PATTERN_CHANGES)[number]

const Grade = z.enum(PATTERN_GRADES)
const Moment = z.string().describe('RFC 3339 UTC')

/** Sent to endpoints that subscribe to it, when a finding is new, changes its grade or no longer holds. */
export const PatternChanged = z
  .object({
    event_type: z.literal('pattern.changed').describe('Name of the event'),
    schema_version: z.string().describe('As in `identification.scored`. Take any other value, too'),
    event_id: z.string().describe('Same value each time this event is sent'),
    created_at: Moment.describe('When the change was found; RFC 3339 UTC'),
    data: z
      .object({
        finding_id: z.int().describe('Number of the finding, the same when its grade changes'),
        domain: z.string().describe('Registered domain'),
        pattern: z.string().describe('Name of the pattern; more may be added'),
        entity_type: z
          .string()
          .describe('`device_id`, `visitor_id`, `user_hid` or `local_ip`; more may be added'),
        entity_value: z.string().describe('The device, visitor, account or address'),
        change: z.enum(PATTERN_CHANGES).describe('What changed'),
        grade: Grade.nullable().describe('Grade now; null when the finding no longer holds'),
        previous_grade: Grade.nullable().describe('Grade before; null for a new finding'),
        count: z.int().describe('The count'),
        suspicious_from: z.int().describe('Count from which a finding with this average score is suspicious'),
        dangerous_from: z.int().describe('Count from which a finding with this average score is dangerous'),
        average_score: z.number().describe('Average score of the identifications in the finding'),
        first_at: Moment.describe('Oldest identification in the finding; RFC 3339, UTC'),
        last_at: Moment.describe('Newest identification in the finding; RFC 3339, UTC'),
      })
      .describe('The finding at that time'),
  })
  .describe('The event `pattern.changed`; keys in the order sent')
export type PatternChanged = z.infer<typeof PatternChanged>
