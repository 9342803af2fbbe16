import type { Kysely } from 'kysely'
import { ipv4ToText, ipv6ToText } from '../../lib/address.ts'
import type { TicketProof } from '../../visit/proof.ts'
import type { Schema } from '../schema.ts'
import { readVerdict } from './identification-row.ts'

/** Twice as many visits as networks are asked for: some networks have several. */
const VISITS = 400

/** The tickets of a domain's latest visits, the oldest first. */
export async function latestTicketStates(
  db: Kysely<Schema>,
  domainId: number,
): Promise<{ host: string; address: string; state: TicketProof['state'] }[]> {
  const rows = await db
    .selectFrom('identifications')
    .select(['host', 'ip', 'ip6', 'verdict'])
    .where('domain_id', '=', domainId)
    .orderBy('created_at', 'desc')
    .limit(VISITS)
    .execute()
  return rows.reverse().flatMap(({ host, ip, ip6, verdict }) => {
    const { ticket } = readVerdict(verdict)
    if (!ticket || ticket.interrupted || ticket.unproven) return []
    return [{ host, address: ip6 === null ? ipv4ToText(ip) : ipv6ToText(ip6), state: ticket.state }]
  })
}
