import type { AccountDomain } from '@inkling/contract/account'
import { Button, Group, NumberInput, Switch } from '@mantine/core'
import { useApiMutation } from '../../api/use-api.ts'
import { attempt } from '../../parts/feedback.tsx'
import { useDraft } from '../../parts/use-draft.ts'

/** Whether decisions to review open cases, and how soon a case is due. */
export function ReviewSettings({ domain }: { domain: AccountDomain }) {
  const { domain: name, review_cases: opens, review_hours: stored } = domain
  const change = useApiMutation('changeDomain', ['listDomains', 'getDomain'])
  const [hours, setHours] = useDraft<number | string>(stored)
  const set = (told: string, body: { review_cases: boolean } | { review_hours: number }) =>
    void attempt(told, () => change.mutateAsync({ params: { domain: name }, body }))
  return (
    <Group align="flex-end">
      <Switch
        label="Reviews open cases"
        checked={opens}
        onChange={() =>
          set(`Decisions to review ${opens ? 'no longer open' : 'now open'} cases of ${name}.`, {
            review_cases: !opens,
          })
        }
      />
      <NumberInput
        label="Hours until a case is due"
        min={1}
        max={8_760}
        allowDecimal={false}
        value={hours}
        onChange={setHours}
        w={180}
      />
      <Button
        size="xs"
        variant="default"
        loading={change.isPending}
        disabled={hours === '' || Number(hours) === stored}
        onClick={() => set(`New cases are due after ${hours} hours.`, { review_hours: Number(hours) })}
      >
        Save hours
      </Button>
    </Group>
  )
}
