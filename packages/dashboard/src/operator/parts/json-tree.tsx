import classes from './json-tree.module.css'

interface JsonTreeProps {
  value: unknown
  /** How many levels are open at first. */
  openLevels?: number
}

/** JSON whose objects and lists fold. */
export function JsonTree({ value, openLevels = 1 }: JsonTreeProps) {
  return (
    <div className={classes.tree}>
      <Value value={value} openLevels={openLevels} />
    </div>
  )
}

function Value({ value, openLevels }: { value: unknown; openLevels: number }) {
  if (typeof value !== 'object' || value === null) return <Plain value={value} />
  const entries = Object.entries(value)
  if (entries.length === 0) return <span>{Array.isArray(value) ? '[]' : '{}'}</span>
  return (
    <ul>
      {entries.map(([name, child]) => (
        <li key={name}>
          <Entry name={name} value={child} openLevels={openLevels} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ name, value, openLevels }: { name: string; value: unknown; openLevels: number }) {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return (
      <>
        <span className={classes.name}>{name}</span> <Value value={value} openLevels={0} />
      </>
    )
  const size = Object.keys(value).length
  return (
    <details open={openLevels > 0}>
      <summary>
        <span className={classes.name}>{name}</span>{' '}
        <span className={classes.size}>{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
      </summary>
      <Value value={value} openLevels={openLevels - 1} />
    </details>
  )
}

const Plain = ({ value }: { value: unknown }) => (
  <span className={typeof value === 'string' ? classes.text : classes.literal}>{JSON.stringify(value)}</span>
)
