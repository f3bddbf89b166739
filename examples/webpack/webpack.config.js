import HtmlWebpackPlugin from 'html-webpack-plugin'

export default (_env, { mode }) => ({
  entry: './main.ts',
  // The worker's name has the hash as well: after a deployment it is another worker.
  output: { filename: mode === 'production' ? '[name].[contenthash].js' : '[name].js', clean: true },
  plugins: [new HtmlWebpackPlugin({ template: './index.html' })],
  performance: { hints: false }
})
