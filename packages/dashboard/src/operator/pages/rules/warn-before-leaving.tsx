import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../../parts/confirm.tsx'

/** Asks before changes are left behind, by a link or with the tab. */
export function WarnBeforeLeaving({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  return (
    <Confirm
      opened={status === 'blocked'}
      close={() => reset?.()}
      title="Leave without saving?"
      action="Leave"
      confirm={() => Promise.resolve(proceed?.())}
    >
      The weights that you changed are not saved.
    </Confirm>
  )
}
