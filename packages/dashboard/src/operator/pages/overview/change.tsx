import { Text, VisuallyHidden } from '@mantine/core'

interface ChangeProps {
  change: number | null
  /** The change in words and signs, such as +12 %. */
  text(change: number): string
}

/** How much more or less than in the range before. More is neither good nor bad, so it has no colour. */
export const Change = ({ change, text }: ChangeProps) => (
  <Text span size="sm" className="dim one-line">
    {change === null ? (
      <span title="There was too little before to compare with">
        –<VisuallyHidden>too little before to compare with</VisuallyHidden>
      </span>
    ) : (
      <>
        {text(change)}
        <VisuallyHidden> compared with the range before</VisuallyHidden>
      </>
    )}
  </Text>
)
