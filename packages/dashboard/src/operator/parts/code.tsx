import { ActionIcon, Box, Group, Paper, Popover, Text, Textarea, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import classes from './code.module.css'
import { Icon } from './icon.tsx'

interface CodeBlockProps {
  title: string
  code: string
}

/** Code or a message body, with a button that copies it. */
export const CodeBlock = ({ title, code }: CodeBlockProps) => (
  <Paper withBorder>
    <Group justify="space-between" px="sm" py={6}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <CopyIcon value={code} what={title} />
    </Group>
    <Box
      component="pre"
      m={0}
      px="sm"
      pb="sm"
      fz="xs"
      role="region"
      aria-label={title}
      tabIndex={0}
      style={{ overflow: 'auto', maxHeight: 480 }}
    >
      <code>{code}</code>
    </Box>
  </Paper>
)

interface CopyIconProps {
  value: string
  /** Completes the label `Copy …`. */
  what: string
}

/** Copies a text. Browsers have no clipboard for pages that came without encryption: there it selects the text. */
export function CopyIcon({ value, what }: CopyIconProps) {
  const { copied, copy, error, reset } = useClipboard()
  return (
    <Popover
      opened={error !== null}
      onDismiss={reset}
      position="bottom-end"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={() => copy(value)}
            aria-label={`Copy ${what}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Copy ${what}`}>
        <Textarea
          label="Press Ctrl+C to copy"
          value={value}
          readOnly
          autosize
          maxRows={8}
          w={320}
          data-autofocus
          // Escape is for the popover alone, not for a dialog behind it that shows a secret once.
          data-mantine-stop-propagation
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface JsonTreeProps {
  value: unknown
  /** How many levels start unfolded. */
  openLevels?: number
}

/** JSON whose objects and arrays can be folded. */
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
