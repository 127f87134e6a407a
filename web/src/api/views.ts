// Views of the desk that people have named, for themselves or for everybody.
import { ApiError, http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type NamedView = Schemas['NamedView'];
type NewNamedView = Schemas['NewNamedView'];
/** A field that is missing stays as it is. */
type NamedViewFields = Omit<Schemas['NamedViewFields'], 'expectedVersion'>;

export async function fetchViews(signal?: AbortSignal): Promise<NamedView[]> {
  return (await unwrapAnswer(http.GET('/api/views', { signal }))).result;
}

export async function addView(body: NewNamedView): Promise<void> {
  await unwrapAnswer(http.POST('/api/views', { body }));
}

export async function changeView(view: NamedView, fields: NamedViewFields): Promise<void> {
  const params = { path: { id: view.viewId } };
  await unwrapAnswer(
    http.PATCH('/api/views/{id}', { params, body: { ...fields, expectedVersion: view.version } }),
  );
}

/** A view that is already gone counts as deleted: an earlier answer may have been lost. */
export async function deleteView({ viewId }: NamedView): Promise<void> {
  try {
    await unwrapAnswer(http.DELETE('/api/views/{id}', { params: { path: { id: viewId } } }));
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'unknown-view') throw failure;
  }
}
