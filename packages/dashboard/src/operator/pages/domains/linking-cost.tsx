import { type AccountDomain, FALSE_MERGE_COST } from '@inkling/contract/account'
import { Button, Group, NumberInput } from '@mantine/core'
import { useApiMutation } from '../../api/use-api.ts'
import { attempt } from '../../parts/feedback.tsx'
import { useDraft } from '../../parts/use-draft.ts'

/** How carefully visits without their cookie are linked: what taking two devices for one costs. */
export function LinkingCost({ domain: { domain, false_merge_cost: stored } }: { domain: AccountDomain }) {
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  const [cost, setCost] = useDraft<number | string>(stored ?? '')
  const chosen = cost === '' ? null : Number(cost)
  const told =
    chosen === null
      ? `${domain} links devices as this release does.`
      : `To ${domain}, two devices taken for one are as bad as ${chosen} times one taken for two.`
  return (
    <Group align="flex-end">
      <NumberInput
        label="Cost of a false merge"
        description="How many times worse it is to take two devices for one than one for two"
        placeholder={`${FALSE_MERGE_COST.ofRelease}, as this release has it`}
        min={FALSE_MERGE_COST.min}
        max={FALSE_MERGE_COST.max}
        decimalScale={1}
        value={cost}
        onChange={setCost}
        flex={1}
        miw={240}
        maw={420}
      />
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        disabled={chosen === stored}
        onClick={() =>
          void attempt(told, () =>
            change.mutateAsync({ params: { domain }, body: { false_merge_cost: chosen } }),
          )
        }
      >
        Save cost
      </Button>
    </Group>
  )
}
