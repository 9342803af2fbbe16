import type { SearchType } from '@inkling/contract'
import type { ErasurePreview as Preview } from '@inkling/contract/account'
import { Alert, Box, Button } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog, DANGER } from '../../parts/dialogs.tsx'
import { attempt, ErrorAlert } from '../../parts/feedback.tsx'
import { countedText } from '../../parts/format.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ErasurePreview, type Identifier, isAmong, type Offered } from './erasure-preview.tsx'

interface ErasureProps {
  domain: string
  type: SearchType
  value: string
  ready: boolean
}

/**
 * Erases what one identifier names, after a preview of exactly that. It is mounted anew for another identifier, so that
 * no preview and no outcome stands beside the wrong one.
 */
export function Erasure({ domain, type, value, ready }: ErasureProps) {
  const erase = useApiMutation('eraseIdentifier', ['searchIdentifications', 'getEntity', 'getIdentification'])
  const preview = useApiMutation('previewErasure', [])
  const [included, setIncluded] = useState<readonly Identifier[]>([])
  const [shown, setShown] = useState<{ preview: Preview; offered: readonly Offered[] }>()
  const request = (include: readonly Identifier[]) => ({
    params: { domain },
    body: { type, value, include: [...include] },
  })
  function ask(include: readonly Identifier[]): void {
    setIncluded(include)
    preview.mutate(request(include), {
      onSuccess: (next) =>
        setShown((last) => ({ preview: next, offered: offeredNow(last?.offered ?? [], next, include) })),
    })
  }
  function close(): void {
    preview.reset()
    setShown(undefined)
  }
  const problem = preview.error && <ErrorAlert error={preview.error} retry={() => ask(included)} />
  return (
    <>
      <Button
        color={DANGER}
        disabled={!ready}
        loading={preview.isPending && shown === undefined}
        onClick={() => {
          erase.reset()
          ask([])
        }}
      >
        Erase…
      </Button>
      {shown === undefined && problem && <Box w="100%">{problem}</Box>}
      {erase.data && (
        <Alert w="100%" color="teal" role="status" icon={<Icon name="check" />}>
          {countedText(erase.data.rows, 'identification')} {erase.data.rows === 1 ? 'was' : 'were'} erased.
        </Alert>
      )}
      <ConfirmDialog
        opened={shown !== undefined}
        close={close}
        title="Erase permanently?"
        action="Erase"
        typed={value}
        waits={!preview.isSuccess}
        confirm={() => attempt('The data was erased.', () => erase.mutateAsync(request(included)))}
      >
        {problem}
        {shown && <ErasurePreview {...shown} included={included} include={ask} />}
        This erases its identifications with their versions, snapshots, queued events and delivery bodies. It
        cannot be undone.
      </ConfirmDialog>
    </>
  )
}

/** In the order in which they came up. A preview no longer links those that it includes, which can be taken out again. */
function offeredNow(
  before: readonly Offered[],
  { linked }: Preview,
  included: readonly Identifier[],
): Offered[] {
  const kept = before.filter((one) => isAmong(included, one) || isAmong(linked, one))
  return [...kept, ...linked.filter((one) => !isAmong(kept, one))]
}
