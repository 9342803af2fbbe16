import type { AccountDomain } from '@inkling/contract/account'
import { Button, Group, NumberInput, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation, useIsOwner } from '../../api/use-api.ts'
import { attempt } from '../../parts/feedback.tsx'

const BYTES_PER_MB = 1_000_000

/** Which pages may use the Public Key, and how much disk the domain may take, which owners of the installation say. */
export function DomainLimits({ domain }: { domain: AccountDomain }) {
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  const isOwner = useIsOwner()
  const [origins, setOrigins] = useState(domain.origins ?? [])
  const [budgetMb, setBudgetMb] = useState<number | ''>(
    domain.disk_budget_bytes === null ? '' : domain.disk_budget_bytes / BYTES_PER_MB,
  )
  const save = () =>
    attempt(`The limits of ${domain.domain} are saved.`, () =>
      change.mutateAsync({
        params: { domain: domain.domain },
        body: {
          origins: origins.length === 0 ? null : origins,
          ...(isOwner && {
            disk_budget_bytes: budgetMb === '' || budgetMb === 0 ? null : Math.round(budgetMb * BYTES_PER_MB),
          }),
        },
      }),
    )
  return (
    <Group align="flex-end">
      <TagsInput
        label="Origins that may use the public key"
        description={`Empty: ${domain.domain} and all of its subdomains`}
        placeholder={origins.length === 0 ? `https://${domain.domain}` : ''}
        value={origins}
        onChange={setOrigins}
        flex={1}
        miw={260}
      />
      {isOwner && (
        <NumberInput
          label="Disk budget in MB"
          description={`Stored: about ${Math.ceil(domain.stored_bytes / BYTES_PER_MB)} MB`}
          placeholder="no limit"
          min={0}
          allowDecimal={false}
          value={budgetMb}
          onChange={(value) => setBudgetMb(typeof value === 'number' ? value : '')}
          w={180}
        />
      )}
      <Button size="xs" variant="default" loading={change.isPending} onClick={() => void save()}>
        Save limits
      </Button>
    </Group>
  )
}
