import { Select } from '@mantine/core'
import { useMatches, useNavigate } from '@tanstack/react-router'
import { useAnswer } from '../api/use-api.ts'

/** Pages that make sense for any domain; others hold what another domain does not have. */
const SWITCHES_IN_PLACE = [
  '/d/$domain/overview',
  '/d/$domain/identifications',
  '/d/$domain/integration',
  '/d/$domain/webhooks',
  '/d/$domain/privacy',
] as const

export function DomainSwitch({ domain }: { domain: string }) {
  const { data = [] } = useAnswer('listDomains', {})
  const navigate = useNavigate()
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  const to = SWITCHES_IN_PLACE.find((known) => known === page) ?? '/d/$domain/overview'
  return (
    <Select
      label="Domain"
      data={data.map((known) => known.domain)}
      value={domain}
      allowDeselect={false}
      searchable={data.length > 8}
      onChange={(chosen) => {
        if (chosen !== null) void navigate({ to, params: { domain: chosen } })
      }}
    />
  )
}
