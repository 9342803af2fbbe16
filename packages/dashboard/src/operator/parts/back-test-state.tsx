import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { attempt } from './feedback.tsx'
import { countText } from './format.tsx'

interface ShownTest {
  state: 'running' | 'done' | 'cancelled' | 'failed'
  error: string | null
  done: number
  total: number
}

const REFRESH_MS = 1_000

/** How soon to ask again: what has ended changes no more. */
export const whileRunning = (latest: { back_test: Pick<ShownTest, 'state'> | null } | undefined) =>
  latest?.back_test?.state === 'running' ? REFRESH_MS : false

interface BackTestStateProps {
  /** Null if none has run lately. */
  test: ShownTest | null | undefined
  mayChange: boolean
  cancel: { isPending: boolean; run: () => Promise<unknown> }
}

/** How far the latest back-test is, or why it has no result. */
export function BackTestState({ test, mayChange, cancel }: BackTestStateProps) {
  if (test === null) return mayChange ? null : <Text size="sm">No back-test has run lately.</Text>
  if (test?.state === 'cancelled') return <Text size="sm">The latest back-test was cancelled.</Text>
  if (test?.state === 'failed')
    return (
      <Alert color="red" title="The latest back-test failed">
        {test.error}
      </Alert>
    )
  if (test?.state !== 'running') return null
  const { done, total } = test
  return (
    <Group gap="sm">
      <Progress
        value={total === 0 ? 0 : (done / total) * 100}
        flex="1 1 200px"
        aria-label="Progress of the back-test"
      />
      <Text size="sm" role="status">
        {countText(done)} of {countText(total)} visits
      </Text>
      {mayChange && (
        <Button
          variant="default"
          loading={cancel.isPending}
          onClick={() => void attempt('The back-test was cancelled.', cancel.run)}
        >
          Cancel
        </Button>
      )}
    </Group>
  )
}
