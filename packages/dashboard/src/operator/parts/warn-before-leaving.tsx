import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './dialogs.tsx'

interface WarnBeforeLeavingProps {
  isChanged: boolean
  /** Completes `Your changes to … will be lost.` */
  what: string
}

/** Asks before unsaved changes are lost by following a link or closing the tab. */
export function WarnBeforeLeaving({ isChanged, what }: WarnBeforeLeavingProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      close={() => reset?.()}
      title="Leave without saving?"
      action="Leave"
      confirm={() => Promise.resolve(proceed?.())}
    >
      Your changes to {what} will be lost.
    </ConfirmDialog>
  )
}
