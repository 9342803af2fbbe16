import type { AccountDomain } from '@inkling/contract/account'
import { Button, Group, NumberInput, TagsInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useApiMutation, useIsOwner } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { sizeText } from '../../parts/format.tsx'
import { useDraft } from '../../parts/use-draft.ts'

const BYTES_PER_MB = 1_000_000

/** Which pages may use the Public Key, and how much disk the domain may take, which owners of the installation say. */
export function DomainLimits({ domain }: { domain: AccountDomain }) {
  const { domain: name, disk_budget_bytes: storedBudget, stored_bytes: stored } = domain
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  const isOwner = useIsOwner()
  const [asks, { open: ask, close }] = useDisclosure()
  const [origins, setOrigins] = useDraft(domain.origins ?? [])
  const [budgetMb, setBudgetMb] = useDraft<number | string>(
    storedBudget === null ? '' : storedBudget / BYTES_PER_MB,
  )
  // 0 is no limit, as on the command line.
  const budget = Number(budgetMb) === 0 ? null : Math.round(Number(budgetMb) * BYTES_PER_MB)
  const body = {
    ...(!isSame(origins, domain.origins ?? []) && { origins: origins.length === 0 ? null : origins }),
    ...(budget !== storedBudget && { disk_budget_bytes: budget }),
  }
  const stopsVisits = budget !== storedBudget && budget !== null && budget <= stored
  const save = () =>
    attempt(`The limits of ${name} are saved.`, () => change.mutateAsync({ params: { domain: name }, body }))
  return (
    <Group align="flex-end">
      <TagsInput
        label="Origins that may use the public key"
        description={`Empty: ${name} and all of its subdomains`}
        placeholder={origins.length === 0 ? `https://${name}` : ''}
        value={origins}
        onChange={setOrigins}
        flex={1}
        miw={260}
      />
      {isOwner && (
        <NumberInput
          label="Disk budget in MB"
          description={`Stored: about ${Math.ceil(stored / BYTES_PER_MB)} MB`}
          placeholder="no limit"
          min={0}
          allowDecimal={false}
          allowNegative={false}
          value={budgetMb}
          onChange={setBudgetMb}
          w={180}
        />
      )}
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        disabled={Object.keys(body).length === 0}
        onClick={() => (stopsVisits ? ask() : void save())}
      >
        Save limits
      </Button>
      <ConfirmDialog
        opened={asks}
        close={close}
        title={`Refuse visits of ${name}?`}
        action="Save limits"
        confirm={save}
      >
        It stores about {sizeText(stored)} already, which is more than this disk budget. Visits are refused
        until there is room again.
      </ConfirmDialog>
    </Group>
  )
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)
