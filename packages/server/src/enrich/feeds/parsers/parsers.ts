import type { Parser } from './feed-parser.ts'
import { parseGeofeedCsv, parseIpsum, parseLines, parseSpamhausDrop } from './list-parsers.ts'
import {
  parseAwsJson,
  parseAzureJson,
  parseGoogleJson,
  parseIvpnJson,
  parseMullvadJson,
  parseOracleJson,
  parsePiaJson,
} from './provider-parsers.ts'

/** The formats of feeds. To add one, write its function in one of the files above and add a line here. */
export const PARSERS = {
  lines: parseLines,
  geofeed_csv: parseGeofeedCsv,
  google_json: parseGoogleJson,
  aws_json: parseAwsJson,
  oracle_json: parseOracleJson,
  azure_json: parseAzureJson,
  mullvad_json: parseMullvadJson,
  ivpn_json: parseIvpnJson,
  pia_json: parsePiaJson,
  ipsum: parseIpsum,
  spamhaus_drop: parseSpamhausDrop,
} satisfies Record<string, Parser>

export type ParserName = keyof typeof PARSERS
