import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { type Find, keyOf } from './find.ts'
import classes from './find-box.module.css'

interface FindListProps {
  id: string
  label: string
  finds: readonly Find[]
  /** Index of the row that Enter opens. */
  active: number
  activate(index: number): void
  choose(find: Find): void
}

export const rowId = (listId: string, index: number): string => `${listId}-${index}`

/** The rows. The focus stays in the field, which names the active one. */
export const FindList = ({ id, label, finds, active, activate, choose }: FindListProps) => (
  <div id={id} role="listbox" aria-label={label} className={classes.results}>
    {finds.map((find, index) => (
      <Row
        key={keyOf(find)}
        id={rowId(id, index)}
        find={find}
        isActive={index === active}
        activate={() => activate(index)}
        choose={() => choose(find)}
      />
    ))}
  </div>
)

interface RowProps {
  id: string
  find: Find
  isActive: boolean
  activate(): void
  choose(): void
}

function Row({ id, find: { icon, title, about, now }, isActive, activate, choose }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys of the whole list
    // biome-ignore lint/a11y/useFocusableInteractive: so it has the focus as well
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.row}
      onClick={choose}
      // Not when the list scrolls under a pointer that rests.
      onMouseMove={isActive ? undefined : activate}
    >
      <span className={`${classes.icon} dim`}>
        <Icon name={icon} />
      </span>
      <div className={classes.words}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" className="dim">
          {now === undefined ? about : `${about}, ${now}`}
        </Text>
      </div>
    </div>
  )
}
