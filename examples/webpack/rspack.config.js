import webpackConfig from './webpack.config.js'

const typescript = {
  test: /\.ts$/,
  loader: 'builtin:swc-loader',
  options: { jsc: { parser: { syntax: 'typescript' } } }
}

export default (env, argv) => ({ ...webpackConfig(env, argv), module: { rules: [typescript] } })
