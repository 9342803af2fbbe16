import { PATTERN_CATALOGUE } from '@inkling/contract'
import type { PatternFinding } from '@inkling/contract/account'
import { Anchor, Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BAND_COLORS, BAND_LABELS } from '../../parts/band.tsx'
import { IDENTIFIER_LABELS, Identifier } from '../../parts/identifier.tsx'

export const ENTITY_LABELS: Record<PatternFinding['entity_type'], string> = {
  device_id: IDENTIFIER_LABELS.device_id,
  visitor_id: IDENTIFIER_LABELS.visitor_id,
  user_hid: IDENTIFIER_LABELS.user_hid,
  local_ip: 'Local IP',
}

export function GradeBadge({ finding: { grade, resolved_at } }: { finding: PatternFinding }) {
  if (resolved_at !== null)
    return (
      <Badge variant="light" color="gray" className="band-rate_limited" tt="none">
        Resolved
      </Badge>
    )
  return (
    <Badge variant="light" color={BAND_COLORS[grade]} className={`band-${grade}`} tt="none">
      {BAND_LABELS[grade]}
    </Badge>
  )
}

interface EntityLinkProps {
  finding: PatternFinding
  short?: boolean
}

/** Leads to all that is known of the entity. */
export const EntityLink = ({ finding: { entity_type, entity_value }, short = false }: EntityLinkProps) => (
  <Identifier
    type={entity_type === 'local_ip' ? 'ip' : entity_type}
    value={entity_value}
    short={short}
    copy={!short}
  />
)

interface FindingLinkProps {
  domain: string
  finding: PatternFinding
}

export const FindingLink = ({ domain, finding: { id, pattern } }: FindingLinkProps) => (
  <Anchor
    size="sm"
    renderRoot={(props) => (
      <Link {...props} to="/d/$domain/patterns/$findingId" params={{ domain, findingId: String(id) }} />
    )}
  >
    {PATTERN_CATALOGUE[pattern].title}
  </Anchor>
)
