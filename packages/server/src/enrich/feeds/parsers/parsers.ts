import { parseAwsJson } from './aws-json.ts'
import { parseAzureJson } from './azure-json.ts'
import type { Parser } from './entry.ts'
import { parseGeofeedCsv } from './geofeed-csv.ts'
import { parseGoogleJson } from './google-json.ts'
import { parseIpsum } from './ipsum.ts'
import { parseIvpnJson } from './ivpn-json.ts'
import { parseLines } from './lines.ts'
import { parseMullvadJson } from './mullvad-json.ts'
import { parseOracleJson } from './oracle-json.ts'
import { parsePiaJson } from './pia-json.ts'
import { parseSpamhausDrop } from './spamhaus-drop.ts'

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
