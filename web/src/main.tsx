import { render } from 'solid-js/web';
import './style/tokens.css';
import './style/base.css';
import { Page } from './page';

render(() => <Page />, document.getElementById('page')!);
