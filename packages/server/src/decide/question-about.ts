import type { DecideRequest } from '@inkling/contract'
import { AppError } from '../lib/errors.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import type { DomainLists } from '../store/lists/list-index.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import type { ListMatch } from '../visit/list-match.ts'
import { addressOf, type DecisionQuestion, uuidOrNull } from './decision-facts.ts'

type Named = Pick<DecideRequest, 'account' | 'client_address' | 'email_domain_hash'>
type Asked = Pick<DecideRequest, 'purpose' | 'fields'> & Named
type AskedAbout = Pick<
  IdentificationRow,
  'device_id' | 'visitor_id' | 'cookie_id' | 'session_id' | 'ip' | 'ip6'
>

/** @throws AppError `INK_INVALID_FIELD` */
export function withNormalNames<Given extends Named>(given: Given): Given {
  const { account, client_address, email_domain_hash } = given
  return {
    ...given,
    account: account === undefined ? undefined : normal('account', 'account', account),
    client_address:
      client_address === undefined ? undefined : normal('address', 'client_address', client_address),
    email_domain_hash: email_domain_hash?.toLowerCase(),
  }
}

function normal(kind: 'account' | 'address', field: string, text: string): string {
  const result = normalValue(kind, text)
  if ('problem' in result) throw new AppError('INK_INVALID_FIELD', `${field}: ${result.problem}`)
  return result.value
}

/** @param asked with normal names */
export function questionAbout(
  row: AskedAbout,
  { purpose, fields, account, client_address: clientAddress, email_domain_hash: emailDomainHash }: Asked,
  lists: DomainLists,
  atMs: number,
): DecisionQuestion {
  const named = lists.match({ account, address: clientAddress, emailDomainHash }, atMs)
  return {
    ...{ purpose, account, fields, clientAddress, atMs },
    lists: [...deniedSince(row, lists, atMs), ...named],
  }
}

/** Somebody may deny a device between its visit and the question. */
const deniedSince = (row: AskedAbout, lists: DomainLists, atMs: number): ListMatch[] =>
  lists
    .match(
      {
        device: uuidOrNull(row.device_id) ?? undefined,
        visitor: uuidOrNull(row.visitor_id) ?? undefined,
        cookie: uuidOrNull(row.cookie_id) ?? undefined,
        session: uuidOrNull(row.session_id) ?? undefined,
        address: addressOf(row) ?? undefined,
      },
      atMs,
    )
    .filter(({ list }) => list === 'deny')
