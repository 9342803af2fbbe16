import type { SavedView } from '@inkling/contract/account'
import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/rights.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { attempt } from '../../parts/feedback.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useColumns } from './kept-columns.ts'
import { useTableSearch } from './table-search.ts'
import { useViews } from './use-views.ts'
import { RenameViewDialog, SaveViewDialog } from './view-dialogs.tsx'
import { isChanged, keptQuery, linkOfView, searchOfView } from './view-search.ts'

/** Fits a button on a phone. */
const SHORT_MAX = 24
const shortName = (name: string): string =>
  name.length > SHORT_MAX ? `${name.slice(0, SHORT_MAX).trimEnd()}…` : name

/** Saved filters: opens them, and saves those of the address. */
export function ViewsMenu() {
  const { views, opened } = useViews()
  const maySave = useMay('cases:write')
  const [saving, { open: save, close: closeSave }] = useDisclosure()
  const [renaming, { open: rename, close: closeRename }] = useDisclosure()
  const [removing, { open: remove, close: closeRemove }] = useDisclosure()
  const { domain, search, change } = useTableSearch()
  const removal = useApiMutation('removeView', ['listViews'])
  return (
    <>
      <Menu position="bottom-start" width={300} withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="list" size={16} />} title={opened?.name}>
            {opened ? `${shortName(opened.name)}${isChanged(opened, search) ? ' (changed)' : ''}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <ViewLinks title="My views" views={views.filter(({ shared }) => !shared)} />
          <ViewLinks title="Shared views" views={views.filter(({ shared }) => shared)} />
          {opened && <OpenedView view={opened} rename={rename} remove={remove} />}
          {views.length > 0 && maySave && <Menu.Divider />}
          {maySave ? (
            <Menu.Item leftSection={<Icon name="plus" size={16} />} onClick={save}>
              Save the current filters as…
            </Menu.Item>
          ) : (
            views.length === 0 && <Menu.Label>Nobody shares a view yet.</Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && <SaveViewDialog close={closeSave} />}
      {renaming && opened && <RenameViewDialog view={opened} close={closeRename} />}
      <ConfirmDialog
        opened={removing && opened !== undefined}
        close={closeRemove}
        title={`Remove the view “${opened?.name}”?`}
        action="Remove"
        confirm={async () => {
          if (!opened) return
          const params = { domain, view_id: opened.id }
          await attempt('The view was removed.', async () => {
            await removal.mutateAsync({ params })
            change({ view: undefined })
          })
        }}
      >
        {opened?.shared ? 'Nobody will be able to open it any more. ' : ''}The identifications stay as they
        are.
      </ConfirmDialog>
    </>
  )
}

function ViewLinks({ title, views }: { title: string; views: readonly SavedView[] }) {
  const { domain, search } = useTableSearch()
  if (views.length === 0) return null
  return (
    <>
      <Menu.Label>{title}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          {...(view.id === search.view && { 'aria-current': 'true' as const })}
          rightSection={view.id === search.view ? <Icon name="check" size={14} /> : null}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/d/$domain/identifications"
              params={{ domain }}
              search={searchOfView(view)}
            />
          )}
        >
          {view.name}
        </Menu.Item>
      ))}
    </>
  )
}

interface OpenedViewProps {
  view: SavedView
  rename(): void
  remove(): void
}

/** What can be done with the view that is open. */
function OpenedView({ view, rename, remove }: OpenedViewProps) {
  const { domain, search } = useTableSearch()
  const change = useApiMutation('changeView', ['listViews'])
  const { columns } = useColumns()
  const params = { domain, view_id: view.id }
  const update = (done: string, body: { search: string } | { shared: boolean }) =>
    void attempt(done, () => change.mutateAsync({ params, body }))
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{view.name}</Menu.Label>
      {view.changeable && (
        <>
          <Menu.Item
            disabled={!isChanged(view, search)}
            onClick={() =>
              update('The view was updated.', {
                search: keptQuery(search, columns),
              })
            }
          >
            Update to the current filters
          </Menu.Item>
          <Menu.Item onClick={rename}>Rename…</Menu.Item>
          <Menu.Item
            onClick={() =>
              update(view.shared ? 'The view is no longer shared.' : 'The view is shared with all users.', {
                shared: !view.shared,
              })
            }
          >
            {view.shared ? 'Stop sharing' : 'Share with all users'}
          </Menu.Item>
        </>
      )}
      <Menu.Item
        leftSection={<Icon name="copy" size={16} />}
        onClick={() => void attempt('The link was copied.', () => copy(linkOfView(view, location.href)))}
      >
        Copy link
      </Menu.Item>
      {view.changeable && <Menu.Item onClick={remove}>Remove…</Menu.Item>}
    </>
  )
}

/** Browsers have no clipboard for pages that came without encryption. */
async function copy(link: string): Promise<void> {
  if (navigator.clipboard === undefined) throw new Error(`Nothing can be copied without https: ${link}`)
  await navigator.clipboard.writeText(link)
}
