import { Loader, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useUser } from '../api/use-api.ts'
import { sentence } from '../parts/feedback.tsx'
import { Icon } from '../parts/icon.tsx'
import type { Find } from './find.ts'
import { FindList, rowId } from './find-list.tsx'
import { recentFinds, thisBrowser } from './recent-finds.ts'
import { useFinds } from './use-finds.ts'

interface FindDialogProps {
  opened: boolean
  close(): void
  /** Called once it is out of sight. */
  closed(): void
  choose(find: Find): void
  /** Undefined while there is none: then only pages are found. */
  domain: string | undefined
  returnFocus: boolean
}

/** The box that finds anything. */
export const FindDialog = ({ opened, close, closed, returnFocus, ...box }: FindDialogProps) => (
  <Modal
    opened={opened}
    onClose={close}
    onExitTransitionEnd={closed}
    returnFocus={returnFocus}
    title="Find anything"
    size="lg"
    yOffset="10vh"
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    <FindBox {...box} />
  </Modal>
)

/** Anything that is stored is shorter. */
const TEXT_MAX = 1_024

/** Field and rows, as https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ describes them. */
function FindBox({ domain, choose }: Pick<FindDialogProps, 'domain' | 'choose'>) {
  const user = useUser()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isWaiting, setWaiting] = useState(false)
  const listId = useId()
  const isEmpty = text.trim() === ''
  const found = useFinds(text, domain)
  const [recent] = useState(() => (user ? recentFinds(thisBrowser, user.id) : []))
  const finds = isEmpty ? recent : found.finds
  const { isLooking } = found
  const [first] = finds

  // Enter came before the answer: it meant the first row.
  useEffect(() => {
    if (!isWaiting || isLooking) return
    setWaiting(false)
    if (first) choose(first)
  }, [isWaiting, isLooking, first, choose])

  function type(next: string): void {
    setText(next)
    setActive(0)
    setWaiting(false)
  }

  function press(event: KeyboardEvent): void {
    // The Enter that ends the input of a character is not meant for the list.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : finds.length - 1
      if (finds.length > 0) setActive((active + step) % finds.length)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      const find = finds[active]
      if (find) choose(find)
      else setWaiting(isLooking)
    }
  }

  return (
    <Stack gap="sm">
      <TextInput
        aria-label="What to find"
        placeholder="ID, account, address, case, page…"
        leftSection={<Icon name="search" />}
        rightSection={isLooking ? <Loader size="xs" /> : null}
        data-autofocus
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={finds.length > 0}
        aria-controls={finds.length > 0 ? listId : undefined}
        aria-activedescendant={finds[active] ? rowId(listId, active) : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={TEXT_MAX}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isEmpty && recent.length > 0 && (
        <Text size="xs" fw={600} className="dim">
          Found last on this browser
        </Text>
      )}
      {finds.length > 0 && (
        <FindList
          id={listId}
          label={isEmpty ? 'Found last' : 'Found'}
          finds={finds}
          active={active}
          activate={setActive}
          choose={choose}
        />
      )}
      <Said {...found} text={text.trim()} count={finds.length} domain={domain} />
    </Stack>
  )
}

interface SaidProps {
  text: string
  count: number
  absent: readonly string[]
  isLooking: boolean
  error: Error | null
  domain: string | undefined
}

const resultText = (count: number): string =>
  count === 1 ? '1 result. Enter opens it.' : `${count} results. Arrow keys choose, Enter opens.`

/** What the rows do not say: how many there are, what does not exist, what can be typed. */
function Said({ text, count, absent, isLooking, error, domain }: SaidProps) {
  const where = domain === undefined ? 'Inkling' : domain
  const isNothing = count === 0 && absent.length === 0
  return (
    <Text size="sm" className="dim" component="div" role="status" style={{ overflowWrap: 'anywhere' }}>
      {text === '' ? (
        'An ID or its first six characters, an account, an IP address or network, a country, a case, a pattern, an entry of a list, a page or a setting.'
      ) : isLooking ? (
        'Looking…'
      ) : error ? (
        `Only pages were searched. ${sentence(error.message)}`
      ) : isNothing ? (
        `Nothing in ${where} is called “${text}”.`
      ) : (
        <>
          {count > 0 && <div>{resultText(count)}</div>}
          {absent.map((said) => (
            <div key={said}>{said}</div>
          ))}
        </>
      )}
    </Text>
  )
}
