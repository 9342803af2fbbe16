import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useUser } from '../api/use-api.ts'
import { Icon } from '../parts/icon.tsx'
import { useShownDomain } from '../shell/shown-domain.ts'
import type { Find } from './find.ts'
import { FindDialog } from './find-dialog.tsx'
import { rememberFind, thisBrowser } from './recent-finds.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)
const KEYS = 'Control+K Meta+K'

/** The button of the header and the key that open the box, on every page. */
export function FindAnything() {
  const domain = useShownDomain()
  const user = useUser()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [hasChosen, setChosen] = useState(false)

  const open = (): void => {
    setChosen(false)
    setOpened(true)
  }
  // A dialog may show what nobody can read again, such as a new key.
  const isOtherOpen = (): boolean => document.querySelector('[aria-modal=true]') !== null
  useHotkeys([['mod+K', () => (opened ? setOpened(false) : isOtherOpen() || open())]], [], true)

  const choose = useCallback(
    (find: Find): void => {
      if (user) rememberFind(thisBrowser, user.id, find)
      setChosen(true)
      setOpened(false)
      const { to, params, search } = find.target
      void navigate({ to, params, search })
    },
    [user, navigate],
  )

  /** What had the focus may be gone with its page. */
  function focusPage(): void {
    if (hasChosen) document.getElementById('main')?.focus()
  }

  return (
    <>
      <Button
        visibleFrom="sm"
        variant="default"
        size="sm"
        fw={400}
        leftSection={<Icon name="search" size={16} />}
        rightSection={
          <Kbd size="xs" aria-hidden="true">
            {IS_APPLE ? '⌘K' : 'Ctrl K'}
          </Kbd>
        }
        aria-keyshortcuts={KEYS}
        onClick={open}
      >
        Find anything
      </Button>
      <ActionIcon hiddenFrom="sm" variant="default" size="lg" aria-label="Find anything" onClick={open}>
        <Icon name="search" />
      </ActionIcon>
      <FindDialog
        opened={opened}
        close={() => setOpened(false)}
        closed={focusPage}
        choose={choose}
        domain={domain}
        returnFocus={!hasChosen}
      />
    </>
  )
}
