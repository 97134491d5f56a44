import { Dialog } from '../ui/dialog.tsx';

const KEYS = [
  ['J', 'go to the next entry'],
  ['K', 'go to the previous entry'],
  ['A', 'approve the focused entry'],
  ['R', 'reject the focused entry'],
  ['U', 'undo the last decision, or the focused one'],
  ['?', 'show this help'],
] as const;

interface KeyHelpProps {
  /** Whether the keys are on. */
  readonly areOn: boolean;
  onTurn(areOn: boolean): void;
  onClose(): void;
}

/** Explains the keys of the quarantine, and turns them off for readers who do not want them. */
export function KeyHelp({ areOn, onTurn, onClose }: KeyHelpProps) {
  return (
    <Dialog title="Keys" onClose={onClose} closeLabel="Close">
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={areOn}
          onChange={({ currentTarget }) => onTurn(currentTarget.checked)}
        />
        Use these keys
      </label>
      <p class="hint">
        The keys do nothing while you type in a field. Turn them off if you use speech input.
      </p>
    </Dialog>
  );
}
