import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { Icon } from './icon.tsx'

interface CopyTextProps {
  value: string
  /** What is copied, for the label. */
  what: string
}

export const CopyText = ({ value, what }: CopyTextProps) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
        <ActionIcon variant="subtle" color="gray" size="sm" onClick={copy} aria-label={`Copy ${what}`}>
          <Icon name={copied ? 'check' : 'copy'} size={14} />
        </ActionIcon>
      </Tooltip>
    )}
  </CopyButton>
)
