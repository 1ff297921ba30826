import {useState} from 'react';
import {Panel} from './panel.tsx';

interface Props {
  readonly title: string;
  onClose?(): void;
}

/** A page. */
export function Page({title, onClose}: Props) {
  const [open, setOpen] = useState(false);
  const rows = [1, 2].map((row) => <Row key={row} value={row} />);
  return (
    <Panel.Frame open={open} onClick={() => setOpen(!open)}>
      <h1 className="big">{title}</h1>
      {rows}
      <button onClick={onClose}>x</button>
    </Panel.Frame>
  );
}

const Row = ({value}: {value: number}) => <li>{value}</li>;

export default class Shell<T extends Props> extends Panel<T> {
  state = {open: true};

  render() {
    return <Page {...this.props} title={this.state.open ? 'a' : 'b'} />;
  }
}
