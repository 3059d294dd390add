import { Component, type ComponentChild, type FunctionComponent, h } from 'preact';

/** A component that is rendered again where a property has another value, and only then. */
export function memo<P extends object>(render: (props: P) => ComponentChild): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = Object.keys(next) as (keyof P)[];
      return names.some((name) => next[name] !== this.props[name]);
    }

    override render(props: P): ComponentChild {
      return render(props);
    }
  }
  return (props) => h(Memo, props);
}
