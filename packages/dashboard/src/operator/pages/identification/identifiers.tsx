import { type HistoryRow, NIL_UUID, NO_IPV4, namesAccount } from '@inkling/contract'
import { Group, Text } from '@mantine/core'
import { useApiQueries } from '../../api/use-api.ts'
import { countText } from '../../parts/format.tsx'
import { IDENTIFIER_LABELS, IDENTIFIERS, Identifier, type IdentifierType } from '../../parts/identifier.tsx'
import { Facts, Section } from '../../parts/layout.tsx'
import { localIpOf } from '../identifications/listed-row.ts'

/** Those that other visits can share and that an index counts. */
const SHARED = ['device_id', 'visitor_id', 'user_hid', 'ip', 'cookie_id'] as const

interface IdentifiersProps {
  domain: string
  row: HistoryRow
}

/** What the visit has, and how many other visits have the same. */
export function Identifiers({ domain, row }: IdentifiersProps) {
  const shared = SHARED.filter((type) => isShared(type, row[type]))
  const counts = useApiQueries(
    'countIdentifications',
    shared.map((type) => ({ params: { domain }, query: { [type]: row[type] } })),
  )
  const types: readonly IdentifierType[] = shared
  const othersWith = (type: IdentifierType): string => {
    const count = counts[types.indexOf(type)]?.data
    if (!count) return ''
    const others = Math.max(0, count.total - 1)
    if (others === 0) return 'nobody else'
    return `${count.complete ? '' : 'over '}${countText(others)} other ${others === 1 ? 'visit' : 'visits'}`
  }
  return (
    <Section title="Identifiers" about="Who else has the same. Each links to everything that shares it.">
      <Facts
        facts={IDENTIFIERS.map((type) => ({
          name: IDENTIFIER_LABELS[type],
          value: (
            <Group gap="xs" justify="space-between" wrap="wrap">
              <Identifier type={type} value={type === 'local_ip' ? localIpOf(row) : row[type]} short copy />
              <Text span size="sm" className="dim one-line">
                {othersWith(type)}
              </Text>
            </Group>
          ),
        }))}
      />
    </Section>
  )
}

const isShared = (type: (typeof SHARED)[number], value: string): boolean =>
  value !== '' && value !== NIL_UUID && value !== NO_IPV4 && (type !== 'user_hid' || namesAccount(value))
