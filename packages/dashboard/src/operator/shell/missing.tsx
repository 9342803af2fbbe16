import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'

/** An address that leads nowhere. */
export const Missing = () => (
  <Empty title="There is no such page">
    <Anchor renderRoot={(props) => <Link {...props} to="/" />}>To the start</Anchor>
  </Empty>
)
