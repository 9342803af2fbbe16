import { Anchor, type AnchorProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface VisitLinkProps extends AnchorProps {
  domain: string
  requestId: string
  /** In a new tab, where what is shown would be lost. */
  newTab?: boolean
  children: ReactNode
}

/** Links to the page of an identification. */
export const VisitLink = ({ domain, requestId, newTab = false, ...looks }: VisitLinkProps) => (
  <Anchor
    {...looks}
    renderRoot={(props) => (
      <Link
        {...props}
        to="/d/$domain/identifications/$requestId"
        params={{ domain, requestId }}
        {...(newTab && { target: '_blank' })}
      />
    )}
  />
)
