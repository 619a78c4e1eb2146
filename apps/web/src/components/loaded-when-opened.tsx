import { createElement, lazy, Suspense, type ComponentType, type JSX } from "react";
import { Loading } from "./loading.tsx";

const NotLoaded = (): JSX.Element => <>Couldn’t load this part. Close it and try again.</>;

/** The content of a fold, which is not part of the page's first load. */
export function loadedWhenOpened<Props extends object>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({
    default: (await load().catch(() => undefined)) ?? NotLoaded,
  }));
  return function LoadedWhenOpened(props) {
    return <Suspense fallback={<Loading what={what} lines={4} />}>{createElement(Part, props)}</Suspense>;
  };
}
