/** The fields of `after` that are not as they were `before`. */
export function changedFields<T extends object>(before: object, after: T): Partial<T> {
  const former = new Map(Object.entries(before));
  const isChanged = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(former.get(field));
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}
