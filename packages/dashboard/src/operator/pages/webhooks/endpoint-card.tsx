import type { WebhookEndpoint } from '@inkling/contract/account'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useIsOwner } from '../../api/use-api.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointControls } from './endpoint-controls.tsx'

interface EndpointCardProps {
  domain: string
  endpoint: WebhookEndpoint
}

const STATES = {
  verified: { label: 'verified', color: 'teal', className: 'band-trusted' },
  unverified: { label: 'not verified yet', color: 'gray', className: 'band-rate_limited' },
  failed: { label: 'the last ping failed', color: 'red', className: 'band-dangerous' },
} as const

export function EndpointCard({ domain, endpoint }: EndpointCardProps) {
  const isOwner = useIsOwner()
  const [logShown, { toggle }] = useDisclosure()
  const { label, color, className } = STATES[endpoint.state]
  return (
    <Section title={endpoint.url}>
      <Group gap="xs">
        <Badge variant="light" color={color} className={className} tt="none">
          {label}
        </Badge>
        {!endpoint.enabled && (
          <Badge variant="light" color="gray" className="band-rate_limited" tt="none">
            switched off
          </Badge>
        )}
        <Text size="sm" className="dim">
          endpoint {endpoint.id}, secret …{endpoint.secret_tail}
        </Text>
      </Group>
      {isOwner && <EndpointControls domain={domain} endpoint={endpoint} />}
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        aria-expanded={logShown}
        rightSection={<Icon name="down" size={14} />}
        onClick={toggle}
      >
        Delivery log
      </Button>
      {logShown && <DeliveryLog domain={domain} endpointId={endpoint.id} />}
    </Section>
  )
}
